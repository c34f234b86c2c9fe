import type { StyledText } from '../../test/support/terminal-emulator.ts'
import { colorYaml } from './color-yaml.ts'
import type { Scene } from './record.ts'

const WIDTH = 820
const LINE = 19
const CHARACTER = 8.43
const LEFT = 22
const TITLE = 34
const GAP = 14

const STYLE = `
svg { --back: #ffffff; --bar: #eef0f3; --frame: #d0d7de; --text: #1f2328; --soft: #6e7781; --key: #0550ae; --expression: #8250df;
  --mark: #dafbe1; --red: #cf222e; --green: #1a7f37; --yellow: #9a6700; --cyan: #1b7c83; --caption: #1f2328 }
@media (prefers-color-scheme: dark) {
  svg { --back: #0d1117; --bar: #161b22; --frame: #30363d; --text: #e6edf3; --soft: #8b949e; --key: #79c0ff; --expression: #d2a8ff;
    --mark: #12351f; --red: #ff7b72; --green: #56d364; --yellow: #e3b341; --cyan: #76e3ea; --caption: #e6edf3 }
}
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: var(--text); white-space: pre }
.caption { font: 600 16px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: var(--caption) }
.title { fill: var(--soft) }
.key { fill: var(--key) } .expression { fill: var(--expression) } .comment, .dim { fill: var(--soft) }
.bold { font-weight: 600 } .red { fill: var(--red) } .green { fill: var(--green) } .yellow { fill: var(--yellow) } .cyan { fill: var(--cyan) }
.back { fill: var(--back); stroke: var(--frame) } .bar { fill: var(--bar); stroke: var(--frame) } .mark { fill: var(--mark) }
.scene { visibility: hidden }
`

/** An animated picture of what was recorded. Where people want no motion, it stands still at the third scene. */
export function drawPicture(scenes: readonly Scene[]): string {
  const editorLines = Math.max(...scenes.map(({ role }) => role.trimEnd().split('\n').length))
  const screenLines = scenes[0]?.screen.length ?? 0
  const editor = { top: 40, height: TITLE + editorLines * LINE + 16 }
  const terminal = { top: editor.top + editor.height + GAP, height: TITLE + screenLines * LINE + 16 }
  const height = terminal.top + terminal.height + 1
  const drawn = scenes.map((scene, index) => drawScene(scene, { index, before: scenes[index - 1], editor, terminal }))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    `<title>${escapeXml(scenes.map(({ caption }) => caption).join(' '))}</title>`,
    `<style>${STYLE}${animations(scenes)}</style>`,
    ...drawWindow(editor, 'roles/website/role.yaml'),
    ...drawWindow(terminal, '$ npx rolebook sandbox --samples'),
    ...drawn,
    '</svg>\n',
  ].join('\n')
}

interface Frame {
  readonly top: number
  readonly height: number
}

/** Each scene is seen in its part of the whole time, again and again. */
function animations(scenes: readonly Scene[]): string {
  const whole = scenes.reduce((sum, { seconds }) => sum + seconds, 0)
  const percent = (seconds: number): string => `${Number(((100 * seconds) / whole).toFixed(2))}%`
  let from = 0
  const rules = scenes.map(({ seconds }, index) => {
    const [start, end] = [percent(from), percent(from + seconds)]
    from += seconds
    const hiddenBefore = start === '0%' ? '' : '0% { visibility: hidden } '
    const hiddenAfter = end === '100%' ? '' : ` ${end} { visibility: hidden }`
    return `@keyframes scene-${index} { ${hiddenBefore}${start} { visibility: visible }${hiddenAfter} }
#scene-${index} { animation: scene-${index} ${whole}s step-end infinite }`
  })
  const moving = `@media (prefers-reduced-motion: no-preference) {\n${rules.join('\n')}\n}`
  return `${moving}\n@media (prefers-reduced-motion: reduce) { #scene-2 { visibility: visible } }\n`
}

function drawWindow({ top, height }: Frame, title: string): readonly string[] {
  const dots = [0, 1, 2].map((index) => `<circle class="bar" cx="${18 + index * 18}" cy="${top + 13}" r="5"/>`)
  return [
    `<rect class="back" x="0.5" y="${top}" width="${WIDTH - 1}" height="${height}" rx="8"/>`,
    `<path class="bar" d="M0.5 ${top + 26}v-18a8 8 0 0 1 8-8h${WIDTH - 17}a8 8 0 0 1 8 8v18z"/>`,
    ...dots,
    `<text class="title" x="76" y="${top + 18}">${escapeXml(title)}</text>`,
  ]
}

interface Place {
  readonly index: number
  readonly before: Scene | undefined
  readonly editor: Frame
  readonly terminal: Frame
}

function drawScene({ caption, role, screen }: Scene, { index, before, editor, terminal }: Place): string {
  const lines = role.trimEnd().split('\n')
  const isNew = changedLines(before?.role.trimEnd().split('\n') ?? lines, lines)
  const at = (frame: Frame, line: number): number => frame.top + TITLE + 10 + line * LINE
  return [
    `<g class="scene" id="scene-${index}">`,
    `<text class="caption" x="2" y="24">${escapeXml(caption)}</text>`,
    ...isNew.flatMap((marked, line) => (marked ? [drawMark(at(editor, line))] : [])),
    '<g class="role">',
    ...lines.map((line, number) => drawLine(at(editor, number), colorYaml(line))),
    '</g><g class="screen">',
    ...screen.map((pieces, number) => drawLine(at(terminal, number), pieces.map(styled))),
    '</g></g>',
  ].join('\n')
}

/** Which lines stand between what both texts begin with and what both end with. */
function changedLines(before: readonly string[], after: readonly string[]): readonly boolean[] {
  const same = (one: string | undefined, other: string | undefined): boolean => one !== undefined && one === other
  let start = 0
  while (same(before[start], after[start])) start++
  let end = 0
  while (end < after.length - start && same(before.at(-1 - end), after.at(-1 - end))) end++
  return after.map((line, index) => index >= start && index < after.length - end && line !== '')
}

function drawMark(y: number): string {
  return `<rect class="mark" x="10" y="${y - 14}" width="${WIDTH - 20}" height="${LINE}" rx="3"/>`
}

const COLORS = ['', 'red', 'green', 'yellow', '', '', 'cyan', '']

/** @returns the text with its class */
function styled({ text, isBold, isDim, isInverse, color }: StyledText): readonly [text: string, style: string] {
  const classes = [isBold || isInverse ? 'bold' : '', isDim ? 'dim' : '', COLORS[color ?? 0] ?? '']
  return [text, classes.filter((one) => one !== '').join(' ')]
}

/** Each piece has a place of its own: so the columns hold with every font. */
function drawLine(y: number, pieces: readonly (readonly [text: string, style: string])[]): string {
  let column = 0
  const drawn = pieces.map(([text, style]) => {
    const x = LEFT + column * CHARACTER
    column += text.length
    const shown = text.trimEnd()
    const start = shown.length - shown.trimStart().length
    return shown === '' ? '' : pieceOf(shown.trimStart(), x + start * CHARACTER, style)
  })
  const line = drawn.join('')
  return line === '' ? '' : `<text y="${y}">${line}</text>`
}

function pieceOf(text: string, x: number, style: string): string {
  const place = `x="${Number(x.toFixed(1))}" textLength="${Number((text.length * CHARACTER).toFixed(1))}"`
  return `<tspan ${place}${style === '' ? '' : ` class="${style}"`}>${escapeXml(text)}</tspan>`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
