"""The editor as a process on a real display, driven by xdotool: built from nothing, run, saved."""

import os
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from railblocks.engine import load, simulate

TOOLS = ("Xvfb", "xdotool", "openbox")
pytestmark = pytest.mark.skipif(
    any(shutil.which(tool) is None for tool in TOOLS), reason=f"needs {', '.join(TOOLS)}"
)


class Screen:
    """A virtual display with a window manager and the editor on it."""

    def __init__(self, folder, file):
        read, write = os.pipe()
        self.processes = [
            subprocess.Popen(
                [
                    "Xvfb",
                    "-displayfd",
                    str(write),
                    "-screen",
                    "0",
                    "1500x950x24",
                    "-nolisten",
                    "tcp",
                ],
                pass_fds=[write],
                stderr=subprocess.DEVNULL,
            )
        ]
        os.close(write)
        with os.fdopen(read) as output:
            number = output.readline().strip()
        self.environment = os.environ | {
            "DISPLAY": f":{number}",
            "QT_QPA_PLATFORM": "xcb",
            "RAILBLOCKS_CONFIG": os.fspath(folder / "config"),
        }
        self.window = ""
        self.start("openbox")
        self.start(sys.executable, "-m", "railblocks.engine.cli", "edit", os.fspath(file))

    def show(self, name):
        """Waits for the window and puts it where the test expects it."""
        until(lambda: self.is_on_screen(name))
        self.tool("windowactivate", "--sync", self.window)
        self.tool("windowsize", "--sync", self.window, "1400", "880")
        self.tool("windowmove", "--sync", self.window, "20", "30")

    def start(self, *command):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.processes.append(subprocess.Popen(command, env=self.environment, **quiet))

    def tool(self, *words):
        done = subprocess.run(
            ["xdotool", *map(str, words)], env=self.environment, capture_output=True, text=True,
            check=True, timeout=60,
        )  # fmt: skip
        return done.stdout.split()[0] if done.stdout.split() else ""

    def is_on_screen(self, name):
        """`search --sync` gives up when windows come and go, so it is asked again."""
        done = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--name", name],
            env=self.environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        self.window = done.stdout.split()[0] if done.stdout.split() else ""
        return bool(self.window)

    def type(self, text):
        self.tool("type", "--delay", "30", text)
        time.sleep(0.3)

    def key(self, *keys):
        self.tool("key", "--delay", "60", *keys)
        time.sleep(0.4)

    def close(self):
        for process in reversed(self.processes):
            process.send_signal(signal.SIGTERM)
            process.wait(10)


def until(condition, attempts=400):
    for _ in range(attempts):
        if condition():
            return
        time.sleep(0.1)
    pytest.fail("the condition was never met")


def test_a_diagram_is_built_run_and_saved_by_keys_and_mouse(tmp_path):
    file = tmp_path / "built.yaml"
    file.write_text("diagram: 1\nsolver: {stop: 3 s}\n")
    screen = Screen(tmp_path, file)
    try:
        screen.show(file.name)
        time.sleep(1.5)
        for name, x in (("sine", 500), ("integrator", 700)):  # type two blocks onto the canvas
            screen.tool("mousemove", x, 350)
            time.sleep(0.2)
            screen.tool("click", 1)
            screen.type(name)
            screen.key("Return")
        screen.key("ctrl+a")
        screen.key("ctrl+j")  # join them
        screen.key("ctrl+u")  # and show both in a scope
        screen.key("F5")
        time.sleep(1.0)
        screen.key("ctrl+s")
        until(lambda: "->" in file.read_text())
    finally:
        screen.close()
    text = file.read_text()
    assert "sine -> integrator" in text
    assert "axes: [[sine.y], [integrator.y]]" in text or "axes: [[sine.y, integrator.y]]" in text
    assert "layout:" in text
    results = simulate(load(file))
    expected = 1 - np.cos(results.time)
    np.testing.assert_allclose(results["integrator.y"], expected, atol=1e-5)
