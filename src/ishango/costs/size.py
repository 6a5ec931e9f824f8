"""The cost `size`: how many words there are to learn."""

from ishango.costs.cost import Cost

SIZE = Cost(
    name="size",
    label="size",
    sentence="the number of words, |D| + |M|; a word in both sets counts twice",
    reference="Denić and Szymanik (2024)",
    unit="words",
    measure=lambda said: said.system.size,
)
