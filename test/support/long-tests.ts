interface Tests {
  it(title: string, run: (this: Mocha.Context) => unknown): Mocha.Test
  describe(title: string, define: (this: Mocha.Suite) => void): Mocha.Suite
}

/**
 * Tests that take more than a third of a second of a core, and suites that take more than a second with all their tests. `npm test` leaves them
 * out, so that it stays under three minutes; `npm run test:long`, `npm run check` and CI run them. They are chosen by `LONG` behind their titles.
 */
export const long: Tests & {
  /** For a table of which some rows are long. */
  when(isLong: boolean): Tests
} = {
  it: (title, run) => it(`${title} ${LONG}`, run as Mocha.AsyncFunc),
  describe: (title, define) => describe(`${title} ${LONG}`, define),
  when: (isLong) => (isLong ? long : { it: (title, run) => it(title, run as Mocha.AsyncFunc), describe }),
}

/** The scripts of package.json name it, too. */
export const LONG = '[long]'
