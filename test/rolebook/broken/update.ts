import { readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stdout } from 'node:process'
import { brokenCases } from './broken-cases.ts'
import { withExpectations } from './case-file.ts'
import { checkBroken } from './check-broken.ts'

/** `npm run broken:update`: writes what is printed of each broken case beside it. Read the difference before you commit it. */
let changed = 0
for (const one of brokenCases()) {
  const printed = await checkBroken(one)
  if (printed === one.expected) continue
  const text =
    'folder' in one.given ? printed : withExpectations(readFileSync(one.file, 'utf8'), new Map([[one.name, printed]]))
  writeFileSync(one.file, text)
  stdout.write(`${relative('.', one.file)} › ${one.name}\n`)
  changed++
}
stdout.write(`${changed} expectations rewritten\n`)
