import { TextDocument } from 'vscode-languageserver-textdocument'
import type { Diagnostic } from '../../../src/core/yaml/diagnostic.ts'
import { codeActionsFor } from '../../../src/rolebook/lsp/fixes/code-actions.ts'
import { toProtocolDiagnostic } from '../../../src/rolebook/lsp/protocol-values.ts'

const URI = 'file:///role.yaml'

/** What an editor offers at a finding, and the text after it. */
export interface OfferedFix {
  readonly title: string
  /** Whether the hint leaves no other choice. */
  readonly isPreferred: boolean
  readonly text: string
}

export function offeredFixes(
  text: string,
  found: Diagnostic,
  { isYaml = true }: { readonly isYaml?: boolean } = {},
): readonly OfferedFix[] {
  const document = TextDocument.create(URI, 'yaml', 1, text)
  return codeActionsFor(document, toProtocolDiagnostic(found), { isYaml }).map(
    ({ title, isPreferred = false, edit }) => {
      return { title, isPreferred, text: TextDocument.applyEdits(document, edit?.changes?.[URI] ?? []) }
    },
  )
}

/** The text after the first fix of each finding; one whose place another has changed is left out. */
export function fixedText(text: string, found: readonly Diagnostic[]): string {
  const document = TextDocument.create(URI, 'yaml', 1, text)
  const edits = found.flatMap((one) => {
    const [action] = codeActionsFor(document, toProtocolDiagnostic(one), { isYaml: true })
    return action?.edit?.changes?.[URI] ?? []
  })
  return TextDocument.applyEdits(document, edits)
}
