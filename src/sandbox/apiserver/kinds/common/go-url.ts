/** The parts of a URL, as Go's `net/url` separates them. */
export interface GoUrl {
  readonly scheme: string
  /** With its password; absent when there is no `@`. */
  readonly user: string | undefined
  readonly host: string
  readonly query: string
  readonly fragment: string
}

/** A text that is no URL to Go; the message is Go's. */
export class GoUrlError extends Error {
  constructor(text: string, cause: string) {
    super(`parse ${goQuote(text)}: ${cause}`)
  }
}

/** @throws GoUrlError */
export function parseGoUrl(text: string): GoUrl {
  const [whole, fragment] = cut(text, '#')
  const complaint = complaintAbout(whole)
  if (complaint !== undefined) throw new GoUrlError(whole, complaint)
  const badEscape = wrongEscape(fragment)
  if (badEscape !== undefined) throw new GoUrlError(text, badEscape)
  const { scheme, query, authority = '' } = split(whole)
  const at = authority.lastIndexOf('@')
  const user = at < 0 ? undefined : authority.slice(0, at)
  return { scheme, user, host: authority.slice(at + 1), query, fragment }
}

interface Split {
  readonly scheme: string
  /** Between `//` and the next slash; absent without these. */
  readonly authority: string | undefined
  readonly path: string
  readonly query: string
}

function split(text: string): Split {
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[1] ?? ''
  const [rest, query] = cut(text.slice(scheme === '' ? 0 : scheme.length + 1), '?')
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'))
  if (!hasAuthority) return { scheme: scheme.toLowerCase(), authority: undefined, path: rest, query }
  const [authority] = cut(rest.slice(2), '/')
  return { scheme: scheme.toLowerCase(), authority, path: rest.slice(2 + authority.length), query }
}

function complaintAbout(text: string): string | undefined {
  if (/\p{Cc}/u.test(text.replace(/[\u0080-\u009f]/g, ''))) return 'net/url: invalid control character in URL'
  if (text.startsWith(':')) return 'missing protocol scheme'
  const { scheme, authority, path } = split(text)
  const isRelative = scheme === '' && authority === undefined
  if (isRelative && cut(path, '/')[0].includes(':')) return 'first path segment in URL cannot contain colon'
  const isOpaque = scheme !== '' && authority === undefined && !path.startsWith('/')
  if (isOpaque) return undefined
  return authorityComplaint(authority ?? '') ?? wrongEscape(path)
}

function authorityComplaint(authority: string): string | undefined {
  const at = authority.lastIndexOf('@')
  const complaint = hostComplaint(authority.slice(at + 1))
  if (complaint !== undefined || at < 0) return complaint
  const user = authority.slice(0, at)
  return /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) ? wrongEscape(user) : 'net/url: invalid userinfo'
}

function hostComplaint(host: string): string | undefined {
  const end = host.lastIndexOf(']')
  if (host.startsWith('[') && end < 0) return "missing ']' in host"
  const colon = host.lastIndexOf(':')
  const port = host.startsWith('[') ? host.slice(end + 1) : host.slice(colon < 0 ? host.length : colon)
  if (!/^(?::\d*)?$/.test(port)) return `invalid port ${goQuote(port)} after host`
  const odd = /%(?!25|[89a-fA-F][0-9a-fA-F]).{0,2}/.exec(host)?.[0]
  if (odd !== undefined) return `invalid URL escape ${goQuote(odd)}`
  const character = /[ \\^`{|}]/.exec(host)?.[0]
  return character === undefined ? undefined : `invalid character ${goQuote(character)} in host name`
}

function wrongEscape(text: string): string | undefined {
  const odd = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(text)?.[0]
  return odd === undefined ? undefined : `invalid URL escape ${goQuote(odd)}`
}

function cut(text: string, mark: string): readonly [before: string, after: string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** `%q` of Go, as far as characters of a URL go. */
function goQuote(text: string): string {
  return JSON.stringify(text).replace(
    /\\u00([01][0-9a-f])|\x7f/g,
    (_, digits: string | undefined) => `\\x${digits ?? '7f'}`,
  )
}
