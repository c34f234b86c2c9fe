import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { type ProjectFolder, WATCHES } from '../../support/project-folder.ts'
import { generateFrom, generateIn, kindsIn, PRINTED, projectToGenerateFrom, ROLE } from './generate-project.ts'

describe('rolebook generate for an image', () => {
  let folder: ProjectFolder
  const run = (...args: readonly string[]) => generateFrom(folder, args)

  beforeEach(async () => {
    folder = await projectToGenerateFrom()
  })
  afterEach(() => folder.delete())

  it('dockerfile prints an image with the roles built in, and the stock image', async () => {
    const { out } = await generateIn(folder.root, ['dockerfile', '--image', 'rolebook:9'])
    expect(out).to.include('ARG ROLEBOOK=rolebook:9\nFROM ${ROLEBOOK}\n')
    expect(out).to.include('COPY watches.yaml /etc/rolebook/watches/watches.yaml\nCOPY roles /etc/rolebook/roles\n')
    const stock = await run('dockerfile', '--stock', '--output', folder.path('image'))
    expect(stock.out).to.equal('wrote image/Dockerfile\nwrote image/Dockerfile.dockerignore\n')
  })

  describe('dockerfile, whose COPY is from the working directory,', () => {
    const placesOf = (watches: string, roles: string) => [`--watches-file=${watches}`, `--roles-path=${roles}`]
    beforeEach(() => folder.link('linked', 'roles'))

    const COPIED: readonly {
      readonly name: string
      readonly args: (root: string) => readonly string[]
      readonly copied: readonly [string, string]
    }[] = [
      {
        name: 'an absolute path',
        args: (root) => placesOf(join(root, 'watches.yaml'), join(root, 'roles')),
        copied: ['watches.yaml', 'roles'],
      },
      {
        name: 'a detour',
        args: () => placesOf('roles/../watches.yaml', './roles/'),
        copied: ['watches.yaml', 'roles'],
      },
      { name: 'a link', args: () => placesOf('watches.yaml', 'linked'), copied: ['watches.yaml', 'roles'] },
      { name: 'the directory itself', args: () => placesOf('watches.yaml', '.'), copied: ['watches.yaml', '.'] },
    ]
    for (const { name, args, copied } of COPIED) {
      it(`names as it lies there what is given by ${name}`, async () => {
        // A role whose files lie side by side.
        await folder.write('web.yaml', ROLE)
        const { out, err } = await generateIn(folder.root, ['dockerfile', ...args(folder.root)])
        const from = [...out.matchAll(/^COPY (.*) \/etc/gm)].map(([, path]) => path)
        expect(from, err).to.deep.equal(copied)
      })
    }

    it('names a path with blanks so that it stays one', async () => {
      await folder.write('my roles/web/role.yaml', ROLE)
      const { out } = await generateIn(folder.root, ['dockerfile', ...placesOf('watches.yaml', 'my roles')])
      expect(out).to.include('\nCOPY ["my roles","/etc/rolebook/roles"]\n')
    })

    const ELSEWHERE = [
      { name: 'a relative path', given: ['--watches-file', '../watches.yaml'], lies: 'watches.yaml' },
      { name: 'an absolute path', given: ['--roles-path', '<root>/roles'], lies: 'roles' },
      { name: 'a link', given: ['--roles-path', 'linked'], lies: 'roles' },
    ] as const
    for (const { name, given, lies } of ELSEWHERE) {
      it(`refuses what is given by ${name} and lies elsewhere: Docker would not find it`, async () => {
        await folder.write('inner/watches.yaml', WATCHES)
        await folder.write('inner/roles/web/role.yaml', ROLE)
        await folder.link('inner/linked', '../roles')
        const [flag, path] = given
        const refused = await generateIn(folder.path('inner'), [
          'dockerfile',
          flag,
          path.replace('<root>', folder.root),
        ])
        const real = realpathSync(folder.root)
        expect(refused).to.deep.equal({
          code: 2,
          out: '',
          err:
            `rolebook generate: ${flag}: ${real}/${lies} lies outside of the working directory ${real}/inner, ` +
            'from where docker build copies: run both in a folder that holds it\n',
        })
      })
    }
  })

  describe('--built-in, for an image with the roles built in', () => {
    const ON = ['--built-in', '--image', 'my-operator:1']
    for (const what of ['deploy', 'olm']) {
      it(`${what} mounts nothing over the roles of the image, of whatever size they are`, async () => {
        await folder.write('roles/web/files/large.txt', 'x'.repeat(1024 * 1024))
        const { code, out, err } = await run(what, ...ON)
        expect({ code, err }).to.deep.equal({ code: 0, err: '' })
        expect(kindsIn(out)).to.deep.equal(PRINTED[what]?.filter((kind) => kind !== 'ConfigMap'))
        expect(out).to.not.match(/volume|mountPath|configMap:|rolebook-roles/)
        expect(out).to.include('image: my-operator:1\n')
      })
    }

    it('runs what lies in that image', async () => {
      const started = /CMD \["run", "(.*)", "(.*)"\]/.exec((await generateIn(folder.root, ['dockerfile'])).out) ?? []
      expect((await run('deploy', ...ON)).out).to.include(
        `- run\n            - ${started[1]}\n            - ${started[2]}\n`,
      )
    })

    it('writes no file with ConfigMaps, nor names one', async () => {
      const { out } = await run('deploy', ...ON, '--output', folder.path('out'))
      expect(out).to.include('out/deployment.yaml\n').and.to.not.include('config.yaml')
      expect(readFileSync(folder.path('out/kustomization.yaml'), 'utf8')).to.not.include('config.yaml')
      expect(readFileSync(folder.path('out/deployment.yaml'), 'utf8')).to.include(
        '# watches.yaml and the roles are built',
      )
    })
  })
})
