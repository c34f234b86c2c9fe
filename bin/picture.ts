/**
 * Draws the picture at the top of the README from a session of `rolebook sandbox` that runs now. It needs `script` of
 * util-linux. Look at the picture before you commit it: times in it are those of this machine.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { drawPicture } from './picture/draw.ts'
import { recordScenes } from './picture/record.ts'

const path = join(import.meta.dirname, '..', 'docs/pictures/edit-a-role.svg')
mkdirSync(dirname(path), { recursive: true })
writeFileSync(path, drawPicture(await recordScenes()))
