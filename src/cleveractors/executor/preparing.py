"""The options of a run, checked and made ready before anything starts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from cleveractors.config.parts import Parameters
from cleveractors.contract import Contract, contract_of
from cleveractors.credentials import Credentials
from cleveractors.models.registry import as_spec
from cleveractors.options import RunOptions, check_options

__all__ = ["prepare_options", "run_contract"]


def prepare_options(options: RunOptions, house: Credentials) -> RunOptions:
    """The options as the run uses them.

    Args:
        options: the call's.
        house: the executor's keys, for a run that brings none.

    Raises:
        TypeError: an option is unknown or of the wrong type.
        ValueError: a value is out of its range.
        ConfigurationError: credentials or a model can't be used.
    """
    check_options(options)
    ready: RunOptions = {**options}
    if parameters := options.get("parameters"):
        ready["parameters"] = _parameters(parameters)
    if "credentials" in options:
        # Read once for the whole run, the environment too.
        ready["credentials"] = cast("Any", Credentials(options["credentials"]))
    elif house.asks:
        ready["credentials"] = cast("Any", house.of_run())
    model = options.get("model")
    if model is not None and not isinstance(model, str):
        ready["model"] = as_spec(model)
    return ready


def run_contract(options: RunOptions) -> Contract | None:
    """What the answer must fit, or None.

    Raises:
        TypeError: `output_type` can't be validated.
    """
    kind = options.get("output_type")
    return None if kind is None else contract_of(kind)


def _parameters(given: Mapping[str, Any]) -> dict[str, Any]:
    from pydantic import ValidationError

    try:
        return Parameters.model_validate(dict(given)).set_fields()
    except ValidationError as error:
        wrong = [f"{'.'.join(map(str, one['loc'][:1]))}: {one['msg']}" for one in error.errors()]
        known = ", ".join(Parameters.model_fields)
        raise ValueError(f"parameters: {'; '.join(wrong)}; known are {known}") from None
