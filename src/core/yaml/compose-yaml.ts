import { Composer, type CST, type Document } from 'yaml'

/** The library finds duplicate keys in quadratic time: `NodeReader` does it. Tags for binary data and dates are unknown. */
const OPTIONS = { uniqueKeys: false, prettyErrors: false, resolveKnownTags: false }

/** The library makes an error of each mistake. Where in its code that was costs most of the time, and is not needed. */
export function composeYaml(tokens: readonly CST.Token[]): readonly Document.Parsed[] {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return [...new Composer(OPTIONS).compose(tokens)]
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
