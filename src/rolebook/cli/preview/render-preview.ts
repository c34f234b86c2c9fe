import { cut, harmless } from '../live-view/text-width.ts'
import { wrapProblem } from '../live-view/wrap-problem.ts'
import { paint } from '../paint.ts'
import type { ScreenSize } from '../screen-device.ts'
import type { PreviewState } from './preview-view.ts'
import { previewDiffLines, printParts } from './print-preview.ts'

export interface PreviewPage extends PreviewState {
  readonly size: ScreenSize
  readonly hasKeys: boolean
  /** How many lines of the objects are above the screen. */
  readonly scroll: number
}

/** The whole screen, from top to bottom: what is wrong, what the last edit changed, the objects, and the keys. */
export function renderPreview(page: PreviewPage, color: boolean): readonly string[] {
  const { rows, columns } = page.size
  const { head, objects, room } = layOut(page, color)
  const lines = [...head, ...fitting(objects.slice(page.scroll), room, color)]
  const filler = Array.from({ length: rows - lines.length - 1 }, () => '')
  return [...lines, ...filler, footOf(page, color)].slice(0, rows).map((line) => cut(harmless(line), columns))
}

/** By the names of keys: how many lines they go down, where the screen shows `room` lines. */
const MOVES: Readonly<Record<string, (room: number) => number>> = {
  ...{ up: () => -1, k: () => -1, down: () => 1, j: () => 1 },
  ...{ pageup: (room) => -room, pagedown: (room) => room, ' ': (room) => room },
  ...{ home: () => -Infinity, end: () => Infinity, G: () => Infinity },
}

/** The page after a key. */
export function moved(page: PreviewPage, key: string): PreviewPage {
  const { objects, room } = layOut(page, false)
  // The last line of the room says how many more there are.
  const by = MOVES[key]?.(Math.max(1, room - 1)) ?? 0
  return { ...page, scroll: Math.max(0, Math.min(page.scroll + by, objects.length - room)) }
}

interface Layout {
  readonly head: readonly string[]
  readonly objects: readonly string[]
  /** Lines for the objects. */
  readonly room: number
}

function layOut({ size, preview, diff, said }: PreviewPage, color: boolean): Layout {
  const { rows, columns } = size
  const most = Math.floor(rows / 3)
  const title = preview ? `rolebook preview of ${preview.sample}` : 'rolebook preview'
  const bar = paint('│', 'yellow', color)
  const saidLines = said === '' ? [] : wrapProblem(said.trimEnd().split('\n').map(harmless), columns - 2)
  const diffLines = diff ? previewDiffLines(diff, color) : []
  const head = [
    paint(title, 'bold', color),
    ...fitting(saidLines, most, color).map((line) => `${bar} ${line}`),
    ...fitting(diffLines, most, color),
    '',
  ]
  return { head, objects: objectLines({ preview, said }, color), room: Math.max(1, rows - head.length - 1) }
}

function objectLines({ preview, said }: PreviewState, color: boolean): readonly string[] {
  if (!preview) return said === '' ? ['The sample is being rendered.'] : []
  const lines = printParts(preview.parts).trimEnd().split('\n')
  return lines.map((line) => (line.startsWith('# ') ? paint(line, 'cyan', color) : line))
}

/** The first lines; where there are others, the last one says how many. */
function fitting(lines: readonly string[], room: number, color: boolean): readonly string[] {
  if (lines.length <= room) return lines
  const shown = lines.slice(0, Math.max(0, room - 1))
  return [...shown, paint(`… ${lines.length - shown.length} more lines`, 'dim', color)]
}

function footOf({ hasKeys }: PreviewPage, color: boolean): string {
  const keys = hasKeys ? '↓ ↑ Space PgUp scroll  q quit' : 'Standard input is not a terminal: Ctrl-C stops'
  return paint(keys, 'dim', color)
}
