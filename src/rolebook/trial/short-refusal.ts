import { plainRefusal } from '../config/plain-refusal.ts'

/** What a server says, without what is about the server, and what to do instead where that is known. */
export function shortRefusal(message: string): { readonly reason: string; readonly hint?: string | undefined } {
  const reason = message
    .replace(/^\S+ in version "[^"]*" cannot be handled as a \S+: /, '')
    .replace(/^strict decoding error: /, '')
    .replace(/, regex used for validation is '.*?'(?=\)|$)/, '')
    .replace(/^failed to create typed patch object \([^)]*\): /, '')
  return { reason: plainRefusal(reason), hint: HINTS.find(([pattern]) => pattern.test(message))?.[1] }
}

const HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /quantities must match/,
    'a quantity is a number with a suffix such as `m`, `k`, `M`, `G`, `Ki`, `Mi` or `Gi`: 100M, 512Mi, 250m',
  ],
  [/`selector` does not match template `labels`/, 'give `spec.template.metadata.labels` all labels of `spec.selector`'],
  [
    /volumeMounts\[\d+\]\.name|Not found: "[^"]*"$/,
    'it has to be the name of one of the `volumes`, or of a claim template',
  ],
]
