import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { drawPicture } from '../../bin/picture/draw.ts'
import { recordScenes } from '../../bin/picture/record.ts'

/** Lines of the screen that do not depend on times and on the order of events. */
const STEADY = /\b(?:True|False) +Ready|^│|corrected|spec\.replicas/

/** What a picture shows, scene by scene, without colours and times. */
function structureOf(svg: string): readonly (readonly string[])[] {
  const scenes = [...svg.matchAll(/<g class="scene"[\s\S]*?<\/g><\/g>/g)].map(([scene]) => scene)
  return scenes.map((scene) => {
    const [above = '', screen = ''] = scene.split('<g class="screen">')
    return [...linesOf(above), ...linesOf(screen).filter((line) => STEADY.test(line))]
  })
}

function linesOf(part: string): readonly string[] {
  const lines = [...part.matchAll(/<text[^>]*>(.*)<\/text>/g)].map(([, text = '']) => text.replace(/<[^>]*>/g, ' '))
  return lines.map((line) =>
    line
      .replace(/\d\d:\d\d:\d\d/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
  )
}

describe('the picture of the README', function () {
  this.timeout(300_000)
  const committed = readFileSync('docs/pictures/edit-a-role.svg', 'utf8')

  it('is small', () => expect(committed.length).to.be.lessThan(60_000))

  it('shows what a session shows now (npm run picture)', async () => {
    const now = structureOf(drawPicture(await recordScenes()))
    expect(now.length).to.equal(6)
    expect(now.flat().join('\n')).to.include('spec.replicas').and.to.include('RB1220')
    expect(structureOf(committed)).to.deep.equal(now)
  })
})
