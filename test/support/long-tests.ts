interface Tests {
  it(title: string, run: (this: Mocha.Context) => unknown): Mocha.Test
  describe(title: string, define: (this: Mocha.Suite) => void): Mocha.Suite
}

/**
 * Tests that take more than a third of a second of a core, and suites that take more than a second with all their tests. `npm test` leaves them
 * out, so that it stays under three minutes; `npm run test:long`, `npm run check` and CI run them. They are chosen by the mark behind their titles,
 * which stands in the scripts of package.json, too.
 */
export const long: Tests & {
  /** For a table of which some rows are long. */
  when(isLong: boolean): Tests
} = {
  it: (title, run) => it(`${title} ${MARK}`, run as Mocha.AsyncFunc),
  describe: (title, define) => describe(`${title} ${MARK}`, define),
  when: (isLong) => (isLong ? long : { it: (title, run) => it(title, run as Mocha.AsyncFunc), describe }),
}

const MARK = '[long]'
