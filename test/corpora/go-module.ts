import { go, hasGo } from '../control-plane/go-build.ts'

const PINS = 'corpora'

/** Why modules cannot be read here, or undefined when they can. */
export function missingForModules(): string | undefined {
  return hasGo() ? undefined : 'Go is not on the path'
}

/**
 * The folder of a module, in the version that `test/control-plane/corpora/go.mod` pins: Go keeps it in its own cache.
 * A version is named outright, so that nothing that the module requires is loaded.
 */
export function moduleFolder(path: string): string {
  const { Require } = JSON.parse(go(PINS, 'mod', 'edit', '-json')) as { Require: { Path: string; Version: string }[] }
  const pinned = Require.find(({ Path }) => Path === path)
  if (!pinned) throw new Error(`${path} is not in test/control-plane/corpora/go.mod: require it there`)
  return (JSON.parse(go(PINS, 'mod', 'download', '-json', `${path}@${pinned.Version}`)) as { Dir: string }).Dir
}
