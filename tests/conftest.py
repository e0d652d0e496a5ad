"""What holds for all tests: no limit of wall-clock time, on property-based ones neither."""

from hypothesis import HealthCheck, settings

settings.register_profile("headrace", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("headrace")
