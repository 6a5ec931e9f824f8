"""Agents as files: to go on playing, and to load into PyTorch."""

import io
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from safetensors.numpy import save

from ishango.errors import RequestError
from ishango.game.agents import Agent, Agents
from ishango.safe_files import write


def state_dict(agent: Agent) -> dict[str, np.ndarray]:
    """Parameters under the names and shapes of modules `embedding`, `lstm` and `output` of PyTorch.

    `nn.Embedding`, `nn.LSTM` (one layer) and `nn.Linear` load them with `load_state_dict`.
    """
    p = agent.parameters()
    named = {
        "embedding.weight": p.embedding,
        "lstm.weight_ih_l0": p.w_input.T,
        "lstm.weight_hh_l0": p.w_hidden.T,
        "lstm.bias_ih_l0": p.b_input,
        "lstm.bias_hh_l0": p.b_hidden,
        "output.weight": p.w_output.T,
        "output.bias": p.b_output,
    }
    return {name: np.array(array, order="C") for name, array in named.items()}


def export(agents: Agents, path: Path | str) -> None:
    """Write both agents' parameters as safetensors: `speaker.lstm.weight_hh_l0`, `listener.output.bias`, ..."""
    pairs = (("speaker", agents.speaker), ("listener", agents.listener))
    tensors = {f"{role}.{name}": array for role, agent in pairs for name, array in state_dict(agent).items()}
    write(Path(path), save(tensors), goes_on=False)


def save_agents(agents: Agents, path: Path | str) -> None:
    """Write everything the agents are, optimisers included (.npz)."""
    content = io.BytesIO()
    np.savez(content, **agents.to_arrays())  # type: ignore[arg-type]
    write(Path(path), content.getvalue(), goes_on=False)


def load_agents(path: Path | str) -> Agents:
    """The agents that `save_agents` wrote."""
    try:
        with Path(path).open("rb") as file, np.load(file) as arrays:
            return Agents.from_arrays(arrays)
    except (OSError, ValueError, EOFError, BadZipFile) as error:
        raise RequestError(f"{path} does not hold saved agents: {error}.") from error
