"""Compile every kernel into the cache on disk, in two processes: python -m tests.kernels

Kernels are compiled on first use, which takes a minute or two of processor time after a fresh clone. Processes that
run tests at the same time would each compile the same ones.
"""

import math
import sys
from multiprocessing import get_context


def game() -> None:
    """What agents use."""
    import numpy as np

    from ishango.game import Agents, GameOptions, Population, demonstrate, edit_distances, imitate, mingle, play

    words = {number: (str(number),) for number in range(1, 6)}
    options, rng = GameOptions(upto=5), np.random.default_rng(0)
    agents = Agents.random(options, rng)
    play(agents, [words, words], np.ones(5), options, 1, rng)
    imitate(agents, demonstrate(agents, words, [1], rng), options, 1, rng)
    mingle(Population([agents]), [words], np.ones(5), options, 1, rng)
    edit_distances(list(words.values()))


def search() -> None:
    """What systems and frontiers use."""
    from studies.chains import survival_table

    from ishango.costs import tied_languages
    from ishango.frontiers import GeneticSettings, Problem, estimate, solve
    from ishango.frontiers._reach import FreeReach, Reach
    from ishango.generations import GenerationOptions, Generations, play_chain
    from ishango.lab import play_in_memory
    from ishango.learnability import Learnability, LearnabilityOptions
    from ishango.numerals import NumeralSystem, evaluate_many, listing, minimal_language

    system = NumeralSystem.parse("1-9 | 10")
    minimal_language(system)
    evaluate_many([system])
    listing(system)
    tied_languages(system, samples=1)
    play_chain(GenerationOptions(rounds=1))
    play_in_memory(Generations(GenerationOptions(rounds=1)))
    survival_table(GenerationOptions(rounds=1), (0, 1.01))
    for answers in ("classes", "line"):
        play_in_memory(Learnability(LearnabilityOptions(answers=answers, rounds=1, steps=1)))
    solve(Problem(), 3)
    Reach(Problem(need="uniform", upto=9), 3, math.inf, 0.0).run(1)
    FreeReach(Problem("hurford", "uniform", 9), 3, math.inf, 0.0).run(1)
    estimate(Problem(), GeneticSettings(population=10, generations=1))


def main() -> int:
    """Compile, and say whether it worked."""
    spawn = get_context("spawn")
    processes = [spawn.Process(target=part) for part in (game, search)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return int(any(process.exitcode for process in processes))


if __name__ == "__main__":
    sys.exit(main())
