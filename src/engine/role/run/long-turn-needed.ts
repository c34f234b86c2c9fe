/** A short run has used up what it may: it is to be begun anew as a long one. Nothing is wrong with the role. */
export class LongTurnNeeded extends Error {
  constructor() {
    super('the run computes for long: it has to wait for its turn')
  }
}
