/** Stands for the reader of the built-in schemas in the page: the worker fetches them before it starts anything. */
import { BuiltinSchemas } from '../../../core/schema/builtin-schemas.ts'

let loaded: BuiltinSchemas | undefined

/** @param bytes unpacked, as the build of the page lays them down */
export function keepBuiltinSchemas(bytes: Uint8Array): void {
  loaded = BuiltinSchemas.decode(bytes)
}

export function loadBuiltinSchemas(): BuiltinSchemas {
  if (!loaded) throw new Error('cannot use the built-in schemas: they are not fetched yet')
  return loaded
}
