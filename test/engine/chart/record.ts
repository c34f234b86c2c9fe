/** Records what `helm template` makes of the charts: `node test/engine/chart/record.ts && npm run format`. Needs Go. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildClient } from '../../control-plane/clients.ts'
import { chartCases, RECORDED } from './charts.ts'
import { helmTemplate } from './helm-template.ts'
import { knownFunctions } from './known-functions.ts'
import { knownVersions } from './known-versions.ts'

const helm = buildClient('helm')
const write = (name: string, value: unknown): void =>
  writeFileSync(join(RECORDED, `${name}.json`), `${JSON.stringify(value, undefined, 1)}\n`)
mkdirSync(RECORDED, { recursive: true })
for (const each of chartCases()) write(each.name, helmTemplate(helm, each))
write('api-versions', knownVersions(helm))
write('functions', knownFunctions())
