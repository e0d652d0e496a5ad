"""Units played on clocks: ports that cores share, FIFOs that hold back, signals, transfers."""

from __future__ import annotations

from headrace.scheduler.clocks import Burst, Do, Link, Play, Port


def played(programs: dict, links: dict | None = None, ports: dict | None = None, cut: dict | None = None) -> Play:
    play = Play(programs, ports or {}, links or {}, {}, cut)
    play.cycles = play.run()  # type: ignore[attr-defined]
    assert not play.stuck
    return play


def loop(count: int, *body: tuple) -> list[tuple]:
    """Steps of a loop at depth 0."""
    return [(Do.LOOP, len(body) + 1, count, 0, None, 0, 1), *body, (Do.END, 0)]


def test_a_port_makes_the_last_core_wait_once_and_then_is_free_for_it() -> None:
    port = Port(4)
    assert port.take(0, 1) == 3  # behind three others
    assert port.take(10, 1) == 10  # they asked three cycles earlier


def test_a_port_that_is_always_busy_sets_the_pace() -> None:
    port, time = Port(4), 0.0
    for _ in range(8):
        time = port.take(time, 10) + 10
    assert time == 8 * 40


def test_requests_fill_gaps() -> None:
    port = Port()
    assert [port.take(0, 5), port.take(20, 5), port.take(3, 5)] == [0, 20, 5]
    assert port.take(3, 20) == 15  # from 10 to 20 and from 25 to 35: as if it began 20 cycles before its end


def test_a_fifo_holds_the_sender_back() -> None:
    link = ("A", "B")
    programs = {
        "A": loop(10, (Do.WORK, 1.0, 1), (Do.SEND, link, 1.0, True)),
        "B": loop(10, (Do.RECEIVE, link), (Do.WORK, 5.0, 1)),
    }
    play = played(programs, {link: Link(2, 1, 1.0)})
    assert play.cycles == 4 + 10 * 5  # type: ignore[attr-defined]
    assert 30 <= play.units[0].clock <= 40  # as far ahead as slots and pipeline go


def test_a_wait_comes_after_the_transfer_before_its_signal() -> None:
    burst = Burst("M", 4, 4, 100, None, 0, 2, 10)
    programs = {"A": [(Do.MOVE, 3, (burst,)), (Do.SIGNAL, "s", 1)], "B": [(Do.WAIT, "s", 1), (Do.WORK, 7.0, 1)]}
    play = played(programs, ports={"M": Port()})
    assert play.cycles == 12 + 100 + 2 + 10 + 7  # type: ignore[attr-defined]


def test_a_part_of_a_loop_is_played() -> None:
    assert played({"A": loop(100, (Do.WORK, 3.0, 1))}, cut={0: 0.1}).cycles == 30  # type: ignore[attr-defined]
