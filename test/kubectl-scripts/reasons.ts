/** Functions that run on neither server, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  run_multi_resources_tests: 'it reads manifests from raw.githubusercontent.com',
}

/** Functions that pass on a real server alone, and why. `docs/sandbox-differences.md` has a row for each. */
export const DIFFERENCES: Readonly<Record<string, string>> = {}
