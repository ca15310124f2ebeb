# This file is a tool-info module of baproduct for BenchExec (https://github.com/sosy-lab/benchexec).

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """Tool info for baproduct: LTL monitors woven into C programs, decided by CBMC or ESBMC."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("baproduct", subdir="bin")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="baproduct")

    def name(self):
        return "baproduct"

    def project_url(self):
        return ""

    def cmdline(self, executable, options, task, rlimits):
        # BenchExec itself compares the verdict with the expectation, so the tool gets none.
        command = options if options and options[0] in ("verify", "prove") else ["verify", *options]
        command = [executable, *command, "--format", "json"]
        if task.property_file:
            command.append(task.property_file)
        if rlimits.memory and "--memory" not in command:
            command += ["--memory", str(rlimits.memory // (1 << 20))]
        return command + list(task.input_files_or_identifier)

    def determine_result(self, run):
        import json

        if run.was_timeout:
            return result.RESULT_TIMEOUT
        try:
            found = json.loads("\n".join(run.output))
        except ValueError:
            status = run.exit_code.value
            return {2: "ERROR (usage)", 3: "ERROR (refused)", 4: "ERROR (no backend)"}.get(
                status, result.RESULT_ERROR
            )
        answers = [self._answer(p) for p in found["properties"]]
        if result.RESULT_FALSE_PROP in answers:
            return result.RESULT_FALSE_PROP
        if answers and all(answer == result.RESULT_TRUE_PROP for answer in answers):
            return result.RESULT_TRUE_PROP
        return result.RESULT_UNKNOWN

    @staticmethod
    def _answer(found):
        # A bounded search without a violation proves nothing, unless it explored every run to its end.
        if found.get("holds") == "proved":
            return result.RESULT_TRUE_PROP
        if found.get("holds") == "refuted":
            return result.RESULT_FALSE_PROP
        return result.RESULT_UNKNOWN
