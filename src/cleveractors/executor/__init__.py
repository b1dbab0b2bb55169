"""Runs actors: any number of runs at a time, from any task."""

from cleveractors.executor.arguments import ExecutorOptions
from cleveractors.executor.executor import Executor
from cleveractors.executor.factory import create_executor
from cleveractors.executor.info import RunInfo
from cleveractors.executor.stream import RunStream

__all__ = ["Executor", "ExecutorOptions", "RunInfo", "RunStream", "create_executor"]
