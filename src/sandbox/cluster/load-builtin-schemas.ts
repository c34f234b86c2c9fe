import { existsSync, readFileSync } from 'node:fs'
import { BuiltinSchemas } from '../../core/schema/builtin-schemas.ts'

/** Read once. The schemas lie beside the bundle in a release, and in `src/core/schema` in a checkout. */
export function loadBuiltinSchemas(): BuiltinSchemas {
  loaded ??= readBuiltinSchemas()
  return loaded
}

let loaded: BuiltinSchemas | undefined

function readBuiltinSchemas(): BuiltinSchemas {
  const name = 'builtin-schemas.generated.bin'
  const beside = new URL(name, import.meta.url)
  return BuiltinSchemas.decode(
    readFileSync(existsSync(beside) ? beside : new URL(`../../core/schema/${name}`, import.meta.url)),
  )
}
