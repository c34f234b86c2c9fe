import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { go } from '../../control-plane/go-build.ts'

/** The functions that templates have, as the sources of Go, Sprig and Helm list them. Those that Helm takes away count: it refuses them. */
export function knownFunctions(): readonly string[] {
  const sources = [
    {
      folder: join(go('helm', 'env', 'GOROOT'), 'src/text/template'),
      file: 'funcs.go',
      map: /^func builtins\(\).*?^}/ms,
    },
    { folder: module('github.com/Masterminds/sprig/v3'), file: 'functions.go', map: /^var genericMap = .*?^}/ms },
    { folder: join(module('helm.sh/helm/v4'), 'pkg/engine'), file: 'funcs.go', map: /^func funcMap\(\).*?^}/ms },
  ]
  const names = sources.flatMap(({ folder, file, map }) => {
    const [text = ''] = map.exec(readFileSync(join(folder, file), 'utf8')) ?? []
    return [...text.matchAll(/^\t+"(\w+)":/gm)].map(([, name = '']) => name)
  })
  return [...new Set(names)].sort()
}

function module(path: string): string {
  return go('helm', 'list', '-m', '-f', '{{.Dir}}', path)
}
