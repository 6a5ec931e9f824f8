"""Algorithm 1 of the paper: modifications, choices, and the rounds of a run."""

from ishango.evolution._choosers import (
    BIASED,
    CHOOSERS,
    COMMUNICATION,
    DRIFT,
    JUDGES,
    LATE,
    LEARNERS,
    MEAN,
    NEARER,
    NEW,
    ORACLE,
    SAME,
    Chooser,
    Communication,
    Decision,
    Names,
    Q,
    Question,
    Spoken,
    change_of_average,
    communication,
    compete,
    converse,
    expressions,
    game_need,
    share_changed,
    with_brackets,
)
from ishango.evolution._experiment import (
    EVOLUTION,
    AlgorithmOne,
    Evolution,
    EvolutionState,
    Played,
    RoundRecord,
    Trial,
    load_state,
    talked,
)
from ishango.evolution._modifications import (
    ADD_RULES,
    HIGHEST,
    LOWEST,
    MODIFICATIONS,
    PAPER,
    AddRule,
    Modification,
    changed,
    free_numeral,
    starting_system,
)
from ishango.evolution._options import Choose, Contest, EvolutionOptions, JudgeName, Learn, idle_in_contests

__all__ = [
    "ADD_RULES", "BIASED", "CHOOSERS", "COMMUNICATION", "DRIFT", "EVOLUTION", "HIGHEST", "JUDGES", "LATE", "LEARNERS",
    "LOWEST", "MEAN", "MODIFICATIONS", "NEARER", "NEW", "ORACLE", "PAPER", "SAME", "AddRule", "AlgorithmOne", "Choose",
    "Chooser", "Communication", "Contest", "Decision", "Evolution", "EvolutionOptions", "EvolutionState", "JudgeName",
    "Learn", "Modification", "Names", "Played", "Q", "Question", "RoundRecord", "Spoken", "Trial", "change_of_average",
    "changed", "communication", "compete", "converse", "expressions", "free_numeral", "game_need", "idle_in_contests",
    "load_state", "share_changed", "starting_system", "talked", "with_brackets",
]  # fmt: skip
