"""PyTorch agents as arrays: parameters, buffers and the optimisers' memory, without Python objects."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from ishango.errors import RequestError

if TYPE_CHECKING:
    from ishango.game.torch_backend import TorchAgents

# Names: torch.speaker.parameter.lstm.bias_hh_l0, torch.speaker.optimiser.0.exp_avg, torch.speaker.groups


def to_arrays(agents: TorchAgents) -> dict[str, np.ndarray]:
    """Everything that the agents are."""
    arrays: dict[str, np.ndarray] = {}
    for role, module, optimiser in agents.roles():
        for name, tensor in module.state_dict().items():
            arrays[f"torch.{role}.parameter.{name}"] = _array(tensor)
        document: dict[str, Any] = optimiser.state_dict()
        for index, values in document["state"].items():
            for name, value in values.items():
                if value is not None:
                    arrays[f"torch.{role}.optimiser.{index}.{name}"] = _array(torch.as_tensor(value))
        groups = [{name: v for name, v in group.items() if name != "params"} for group in document["param_groups"]]
        arrays[f"torch.{role}.groups"] = np.frombuffer(json.dumps(groups).encode(), dtype=np.uint8)
    return arrays


def restore(agents: TorchAgents, arrays: Mapping[str, np.ndarray]) -> None:
    """Give fresh agents what `to_arrays` kept."""
    for role, module, optimiser in agents.roles():
        parameters = _below(arrays, f"torch.{role}.parameter.")
        if not parameters or f"torch.{role}.groups" not in arrays:
            raise RequestError("The checkpoint holds no agents of PyTorch.")
        module.load_state_dict(parameters)
        document: dict[str, Any] = optimiser.state_dict()
        state: dict[int, dict[str, Any]] = {}
        for name, tensor in _below(arrays, f"torch.{role}.optimiser.").items():
            index, _, field = name.partition(".")
            state.setdefault(int(index), {})[field] = tensor
        groups = json.loads(arrays[f"torch.{role}.groups"].tobytes())
        merged = [fresh | kept for fresh, kept in zip(document["param_groups"], groups, strict=True)]
        optimiser.load_state_dict({"state": state, "param_groups": merged})


def _below(arrays: Mapping[str, np.ndarray], prefix: str) -> dict[str, torch.Tensor]:
    found = ((name.removeprefix(prefix), array) for name, array in arrays.items() if name.startswith(prefix))
    return {name: torch.from_numpy(np.array(array)) for name, array in found}  # pyright: ignore[reportUnknownMemberType]


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().cpu().numpy().copy()
