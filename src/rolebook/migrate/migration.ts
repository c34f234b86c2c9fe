import type { Diagnostic } from '../../core/yaml/diagnostic.ts'
import type { Finding } from './report.ts'

/** What has become of the files of another system. */
export interface Migration<Content extends string | Uint8Array = string | Uint8Array> {
  /** What is to be written, by path; empty when something could not be read. */
  readonly files: ReadonlyMap<string, Content>
  readonly findings: readonly Finding[]
  readonly diagnostics: readonly Diagnostic[]
}
