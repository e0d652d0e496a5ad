"""Where the time of a run went: profile, trace and page. See docs/profile.md."""
