import { PLAYGROUND } from './playground-links.ts'

export interface NavigationItem {
  readonly text: string
  readonly link?: string
  /** `_self`: it is no page of VitePress. */
  readonly target?: string
  readonly items?: readonly NavigationItem[]
}

/** Addresses of websites by the versions that they are about. */
export type Versions = Readonly<Record<string, string>>

/** What stands at the top of each page. The last item is the menu of versions. */
export function navigation(version: string, versions: Versions): readonly NavigationItem[] {
  const others = Object.entries(versions).filter(([name]) => name !== version)
  return [
    { text: 'Tutorial', link: '/tutorial' },
    { text: 'Cookbook', link: '/cookbook' },
    { text: 'Reference', link: '/reference/' },
    { text: 'Playground', link: `/${PLAYGROUND}/`, target: '_self' },
    {
      text: version,
      items: [{ text: 'Changelog', link: '/CHANGELOG' }, ...others.map(([text, link]) => ({ text, link }))],
    },
  ]
}

/** @throws Error when the text is not what `ROLEBOOK_VERSIONS` should be */
export function parseVersions(text: string): Versions {
  const versions: unknown = parseJson(text)
  const isMap = typeof versions === 'object' && versions !== null && !Array.isArray(versions)
  if (!isMap || !Object.values(versions).every(isAddress)) {
    throw new Error(
      'cannot read ROLEBOOK_VERSIONS: it is not a map of versions to addresses (write {"0.1.0": "https://example.com/0.1.0/"})',
    )
  }
  return versions as Versions
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? '')
}
