import pandas as pd
import vl_convert
from studies.figures import learning_figure


def test_learning_figure_draws_every_run():
    runs = [(s, start, seed) for s in ("default", "lost_entropy=0.01") for start in (1, 7) for seed in range(2)]
    table = pd.DataFrame(runs, columns=["setting", "start", "seed"]).assign(accuracy=0.9, collided=0.08)
    curves = pd.concat([table.assign(step=step, speaker_entropy=1 / step) for step in (1000, 2000)])
    svg = vl_convert.vegalite_to_svg(learning_figure(table, curves).to_dict())
    assert "games won in the last 500 steps" in svg
    assert svg.count('aria-roledescription="tick"') == len(runs)
    assert svg.count('aria-roledescription="point"') == len(runs)
