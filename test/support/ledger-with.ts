import { EMPTY_ENTRY, type Ledger, type LedgerEntry } from '../../src/engine/reconcile/ownership/ledger.ts'
import { partOf } from './part-of.ts'

/** A ledger without a server, which knows this of every kind. */
export function ledgerWith(known: Partial<LedgerEntry>, others: Partial<Ledger> = {}): Ledger {
  return partOf<Ledger>({ entryFor: async () => ({ ...EMPTY_ENTRY, ...known }), ...others })
}
