import { type CST, Parser } from 'yaml'
import { deepFreeze } from '../base/json.ts'
import { checkTokens } from './check-tokens.ts'
import { composeYaml } from './compose-yaml.ts'
import { ParsedYaml } from './parsed-yaml.ts'
import { NodeReader } from './read-node.ts'
import type { SourceFile } from './source-file.ts'

export interface LooseYaml {
  /** Absent: there is nothing, or it is too large. */
  readonly document?: ParsedYaml | undefined
  /** How many mistakes the library has found, in all documents. */
  readonly mistakes: number
}

const LIMITS = { depth: 100, nodes: 100_000 }

/**
 * Parses as much as possible of a text that is being typed: the document around an offset. Mistakes are left out. Therefore
 * use the result only to find places in the text, and never to run it.
 */
export function parseLoosely(source: SourceFile, offset: number): LooseYaml {
  const tokens: CST.Token[] = [...new Parser().parse(source.text)]
  if (checkTokens(source, tokens, LIMITS).some(({ code }) => code === 'RB1002')) return { mistakes: 1 }
  const composed = composeYaml(tokens)
  const mistakes = composed.reduce((sum, { errors }) => sum + errors.length, 0)
  // A document begins behind the comments above it.
  const around = composed.findLast(({ range }) => range[0] <= offset) ?? composed[0]
  if (!around?.contents) return { mistakes }
  const reader = new NodeReader(source, { maxNodes: LIMITS.nodes, dialect: 'strict' })
  const value = deepFreeze(reader.read(around.contents))
  return {
    document: new ParsedYaml(source, value, { root: around.contents, targets: reader.targets }),
    mistakes,
  }
}
