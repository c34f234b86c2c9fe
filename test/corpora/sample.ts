import type { JsonObject } from '../../src/core/base/json.ts'
import { Dice } from '../support/dice.ts'
import type { CorpusDocument } from './read-documents.ts'

const CRD = 'CustomResourceDefinition'

/** Some documents, in their order, with the CRDs of their kinds. */
export function sampleOf(all: readonly CorpusDocument[], size: number, seed: number): readonly CorpusDocument[] {
  const dice = new Dice(seed)
  const left = [...all]
  const chosen = new Set(
    Array.from({ length: Math.min(size, all.length) }, () => left.splice(dice.below(left.length), 1)[0]),
  )
  const kinds = new Set([...chosen].flatMap((document) => (document ? [kindOf(document.object)] : [])))
  return all.filter((each) => chosen.has(each) || (each.object.kind === CRD && kinds.has(definedKind(each.object))))
}

function kindOf({ apiVersion, kind }: JsonObject): string {
  return `${String(apiVersion).replace(/\/.*/, '')} ${kind}`
}

function definedKind({ spec }: JsonObject): string {
  const { group, names } = (spec ?? {}) as { group?: string; names?: { kind?: string } }
  return `${group} ${names?.kind}`
}
