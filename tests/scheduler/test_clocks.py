"""Units played on clocks: ports that cores share, FIFOs that hold back, signals, transfers."""

from __future__ import annotations

from headrace.scheduler.clocks import Burst, Do, Link, Play, Port


def played(programs: dict, links: dict | None = None, ports: dict | None = None, cut: dict | None = None) -> Play:
    play = Play(programs, ports or {}, links or {}, {}, cut)
    play.run()
    assert not play.stuck
    return play


def cycles(programs: dict, links: dict | None = None, ports: dict | None = None, cut: dict | None = None) -> float:
    """Cycles of programs that come to their end."""
    return played(programs, links, ports, cut).run()


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


def test_a_core_is_behind_by_one_round_of_the_others_at_most() -> None:
    port = Port(4)
    assert [port.take(0, 10), port.take(0, 10)] == [30, 40]
    assert [port.take(85, 10), port.take(86, 10)] == [85, 125]  # the others came at 55: four requests each time


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
    assert play.run() == 4 + 10 * 5
    assert 30 <= play.units[0].clock <= 40  # as far ahead as slots and pipeline go


def test_a_link_carries_one_item_after_the_other() -> None:
    link = ("A", "B")
    programs = {"A": loop(10, (Do.SEND, link, 3.0, False)), "B": loop(10, (Do.RECEIVE, link))}
    assert cycles(programs, {link: Link(4, 1, 1.0)}) == 10 * 3 + 1


def test_loads_and_stores_wait_for_their_port_and_complete_later() -> None:
    for do in (Do.LOAD, Do.STORE):
        access = (do, "M", 2, 1.0, 4.0, 1)
        assert cycles({"A": [access, access]}, ports={"M": Port()}) == 2 + 1 + 4
    late = [(Do.LOAD, None, 0, 1.0, 10.0, 1), (Do.STORE, None, 0, 1.0, 4.0, 1)]
    assert cycles({"A": late}) == 1 + 10 + 4


def test_what_needs_a_result_waits_until_it_is_there() -> None:
    steps = [(Do.LOAD, None, 0, 1.0, 10.0, 1), (Do.READY, 2.0, 3.0)]
    assert cycles({"A": steps}) == 1 + 10 + 2


def test_conditions_and_trip_counts_follow_the_loops_around() -> None:
    i = "i"
    branches = [
        (Do.LOOP, 5, 4, 0, i, 0, 1),
        (Do.IF, lambda v: v[i] == 0, 3), (Do.WORK, 5.0, 1), (Do.JUMP, 4), (Do.WORK, 7.0, 1),
        (Do.END, 0),
    ]  # fmt: skip
    assert cycles({"A": branches}) == 5 + 3 * 7
    assert triangle(8) == sum(range(8))
    assert triangle(8, {0: 0.5}) == 0 + 2 + 4 + 6  # what is left out is left out evenly


def triangle(n: int, cut: dict | None = None) -> float:
    """Cycles of `for i < n { for j < i { one cycle } }`."""
    i = "i"
    steps = [
        (Do.LOOP, 4, n, 0, i, 0, 1), (Do.LOOP, 3, lambda v: v[i], 1, None, 0, 1),
        (Do.WORK, 1.0, 1),
        (Do.END, 1), (Do.END, 0),
    ]  # fmt: skip
    return cycles({"A": steps}, cut=cut)


def test_signals_are_counted() -> None:
    play = played({"A": [(Do.SIGNAL, "s", 2)], "B": [(Do.WAIT, "s", 2), (Do.WORK, 3.0, 1)]})
    assert play.run() == 3


def test_a_wait_for_nothing_is_found() -> None:
    play = Play({"A": [(Do.SIGNAL, "s", 1)], "B": [(Do.WAIT, "s", 2)]}, {}, {}, {})
    play.run()
    assert play.stuck


def test_a_matrix_unit_is_filled_beside_its_work() -> None:
    steps = [(Do.FILL, 8.0), (Do.FILL, 8.0), (Do.WORK, 3.0, 1), (Do.SWAP,)]
    assert cycles({"A": steps}) == 16


def test_what_leaves_one_core_arrives_at_another() -> None:
    programs = {"A": [(Do.LEAVE, "k", 2.0)] * 2, "B": [(Do.ARRIVE, "k", 1.0, 5.0)] * 2}
    play = played(programs)
    assert play.units[0].clock == 4
    assert play.run() == 2 + 1 + 5


def test_bursts_wait_for_ports_and_for_each_other() -> None:
    def moved(burst: Burst, times: int = 3) -> float:
        return cycles({"A": [(Do.MOVE, times, (burst,))]}, ports={"M": Port()})

    assert moved(Burst("M", 4, 1, 0, None, 0, 1, 0)) == 8 + 1 + 1
    assert moved(Burst(None, 0, 1, 0, "M", 4, 1, 0)) == 1 + 8 + 1
    assert moved(Burst(None, 0, 1, 0, None, 0, 4, 0)) == 1 + 3 * 4
    far = Burst(None, 0, 1, 100, None, 0, 1, 0)
    assert moved(far, 32) == 102 + 15 + 102  # the 17th begins when the first is written
    assert abs(moved(far, 1024) - 1024 * 102 / 16) < 102  # in groups


def test_a_transfer_leaves_the_others_their_turn() -> None:
    burst = Burst("M", 1, 1, 0, None, 0, 1, 0)
    programs = {"A": [(Do.MOVE, 100, (burst,))], "B": [(Do.WORK, 5.0, 1), (Do.LOAD, "M", 1, 1.0, 0.0, 1)]}
    play = played(programs, ports={"M": Port()})
    assert play.units[1].clock == 6


def test_a_loop_without_iterations_takes_no_time() -> None:
    assert cycles({"A": loop(0, (Do.WORK, 3.0, 1))}) == 0


def test_a_wait_comes_after_the_transfer_before_its_signal() -> None:
    burst = Burst("M", 4, 4, 100, None, 0, 2, 10)
    programs = {"A": [(Do.MOVE, 3, (burst,)), (Do.SIGNAL, "s", 1)], "B": [(Do.WAIT, "s", 1), (Do.WORK, 7.0, 1)]}
    play = played(programs, ports={"M": Port()})
    assert play.run() == 12 + 100 + 2 + 10 + 7


def test_a_part_of_a_loop_is_played() -> None:
    assert cycles({"A": loop(100, (Do.WORK, 3.0, 1))}, cut={0: 0.1}) == 30


def test_a_value_loaded_ahead_is_there_when_it_is_used() -> None:
    """A load takes 11 cycles: two values are on their way at a time."""
    load, ahead = (Do.LOAD, None, 0.0, 1.0, 10.0, 1.0), (Do.AHEAD, "a", 1.0, 2.0)
    assert cycles({"U": [load, (Do.READY, 1.0, 2.0)] * 5}) == 60
    assert cycles({"U": [load, (Do.AHEAD, "a", 0.0, 0.0), *[load, ahead] * 5]}) == 37
