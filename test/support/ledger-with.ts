import type { Ledger, LedgerEntry } from '../../src/engine/reconcile/ownership/ledger.ts'
import { partOf } from './part-of.ts'

const EMPTY: LedgerEntry = {
  own: [],
  patch: [],
  conditions: [],
  selectors: [],
  versions: [],
  namespaces: [],
  write: [],
  traits: [],
}

/** A ledger without a server, which knows this of every kind. */
export function ledgerWith(known: Partial<LedgerEntry>, others: Partial<Ledger> = {}): Ledger {
  return partOf<Ledger>({ entryFor: async () => ({ ...EMPTY, ...known }), ...others })
}
