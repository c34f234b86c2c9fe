import type { CST } from 'yaml'
import { type Diagnostic, diagnosticAt, type Problem } from './diagnostic.ts'
import type { SourceFile } from './source-file.ts'

export interface TokenLimits {
  /** Lists and maps inside each other. */
  readonly depth: number
  /** Scalars, lists and maps of a file. */
  readonly nodes: number
}

type Frame = { readonly token: CST.Token; readonly depth: number }

/**
 * Bounds and tabs, checked on the token tree: before nodes are made, aliases resolved or anything recurses.
 *
 * Stops at the first bound that is passed.
 */
export function checkTokens(
  source: SourceFile,
  tokens: readonly CST.Token[],
  limits: TokenLimits,
): readonly Diagnostic[] {
  const found: Diagnostic[] = []
  const report = (token: CST.Token, problem: Problem): void => {
    const start = token.offset
    found.push(diagnosticAt({ source, start, end: start + 1 }, problem))
  }
  const stack: Frame[] = tokens.map((token) => ({ token, depth: 0 })).reverse()
  let nodes = 0
  for (let frame = stack.pop(); frame; frame = stack.pop()) {
    const { token, depth } = frame
    nodes += isNode(token) ? 1 : 0
    const tooMuch = boundProblem(depth, nodes, limits)
    if (tooMuch) {
      report(token, tooMuch)
      return found
    }
    checkTab(source, token, found)
    if (token.type === 'directive') report(token, DIRECTIVE)
    const inner = 'items' in token ? depth + 1 : depth
    for (const child of childrenOf(token).reverse()) stack.push({ token: child, depth: inner })
  }
  return found
}

const DIRECTIVE: Problem = {
  code: 'RB1013',
  message: 'directives are not read',
  hint: 'remove the line: files are YAML 1.2',
}

function isNode(token: CST.Token): boolean {
  return 'items' in token || token.type === 'alias' || token.type.endsWith('scalar')
}

function boundProblem(depth: number, nodes: number, limits: TokenLimits): Problem | undefined {
  if (depth > limits.depth) return { code: 'RB1002', message: `nested deeper than ${limits.depth} levels` }
  if (nodes > limits.nodes) return { code: 'RB1002', message: `more than ${limits.nodes} values` }
  return undefined
}

/** In order; a new list each time. Never spread into arguments: there may be a million. */
function childrenOf(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return [...token.start, ...(token.value ? [token.value] : []), ...(token.end ?? [])]
  if (token.type === 'block-scalar') return [...token.props]
  if (!('items' in token)) return [...(('end' in token && token.end) || [])]
  const items = (token.items as CST.CollectionItem[]).flatMap(({ start, key, sep, value }) => {
    const parts: (CST.Token | null | undefined)[] = [start, key, sep, value].flat()
    return parts.filter((part) => part !== null && part !== undefined)
  })
  return 'end' in token ? items.concat(token.end) : items
}

/** Tabs are content inside quotes and block scalars only. */
function checkTab(source: SourceFile, token: CST.Token, found: Diagnostic[]): void {
  const at = tabIn(token)
  if (at === -1) return
  const start = token.offset + at
  const problem = { code: 'RB1004', message: 'a tab where YAML wants spaces', hint: 'use spaces, or quote the text' }
  found.push(diagnosticAt({ source, start, end: start + 1 }, problem))
}

function tabIn(token: CST.Token): number {
  if (token.type === 'space' || token.type === 'scalar') return token.source.indexOf('\t')
  return -1
}
