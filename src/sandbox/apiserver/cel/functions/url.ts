import { hasFormat } from '../../../../core/schema/formats.ts'
import { CelRuntimeError } from '../cel-error.ts'
import type { FunctionTable } from '../signature.ts'
import { CelList, CelMapOf, CelOpaque, type CelValue } from '../values.ts'

/** The parts of a URL, as they are written. */
class Url extends CelOpaque {
  readonly typeName = 'kubernetes.URL'
  readonly text: string
  readonly scheme: string
  readonly host: string
  readonly path: string
  readonly query: string

  constructor(text: string) {
    super()
    const match = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/(?:[^@/?#]*@)?([^/?#]*))?([^?#]*)(?:\?([^#]*))?/.exec(
      text,
    ) as RegExpExecArray
    this.text = text
    this.scheme = (match[1] ?? '').toLowerCase()
    this.host = match[2] ?? ''
    this.path = match[3] as string
    this.query = match[4] ?? ''
  }

  equals(other: CelOpaque): boolean {
    return other instanceof Url && other.text === this.text
  }
}

const U = 'kubernetes.URL'

/** Addresses of resources. */
export const URLS: FunctionTable = {
  [`url(string): ${U}`]: ([text]) => {
    if (hasFormat(text as string, 'uri')) return new Url(text as string)
    const cause = text === '' ? 'empty url' : 'invalid URI for request'
    throw new CelRuntimeError(`URL parse error during conversion from string: parse ${JSON.stringify(text)}: ${cause}`)
  },
  'isURL(string): bool': ([text]) => hasFormat(text as string, 'uri'),
  [`method getScheme(${U}): string`]: ([url]) => (url as Url).scheme,
  [`method getHost(${U}): string`]: ([url]) => (url as Url).host,
  [`method getHostname(${U}): string`]: ([url]) => hostname((url as Url).host),
  [`method getPort(${U}): string`]: ([url]) => /:(\d*)$/.exec((url as Url).host)?.[1] ?? '',
  [`method getEscapedPath(${U}): string`]: ([url]) => escapedPath((url as Url).path),
  [`method getQuery(${U}): map<string, list<string>>`]: ([url]) => queryOf((url as Url).query),
}

function hostname(host: string): string {
  return host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1')
}

function escapedPath(path: string): string {
  return path.replace(/[^A-Za-z0-9\-_.~$&+,/:;=@!'()*%[\]]/gu, (character) => encodeURIComponent(character))
}

function queryOf(query: string): CelMapOf {
  const parameters = new Map<string, CelValue[]>()
  for (const [name, value] of new URLSearchParams(query)) parameters.set(name, [...(parameters.get(name) ?? []), value])
  return new CelMapOf([...parameters].map(([name, values]) => [name, CelList.of(values)] as const))
}
