import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { execPath } from 'node:process'
import { RolebookProcess } from '../support/rolebook-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { npmEnvironment } from './npm-environment.ts'

/** What a program printed, and how it ended. */
export interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The package as a user has it: in a folder of its own, with a Node, and without the network. */
export class InstalledPackage {
  readonly #folder = temporaryFolder()
  readonly #env: ReturnType<typeof npmEnvironment>
  readonly #node: string
  readonly #tarball: string

  constructor(tarball: string, node = execPath) {
    this.#node = node
    this.#env = npmEnvironment({ cache: this.#folder.at('cache'), node })
    this.#tarball = basename(tarball)
    copyFileSync(tarball, this.#folder.at(this.#tarball))
  }

  /** A folder with nothing in it, beside the tarball. */
  emptyFolder(name: string): string {
    const folder = this.#folder.at(name)
    mkdirSync(folder)
    return folder
  }

  /** `npm install` of the tarball, and of nothing else. */
  install(): Ended {
    return this.#spawn('npm', ['install', '--omit=dev', `./${this.#tarball}`], this.#folder.path)
  }

  /** `npx` of the tarball, without installing it. */
  npx(cwd: string, ...args: readonly string[]): Ended {
    return this.#spawn('npx', ['--yes', `../${this.#tarball}`, ...args], cwd)
  }

  /** The installed program. */
  run(cwd: string, args: readonly string[], nodeFlags: readonly string[] = []): Ended {
    return this.#spawn(this.#node, [...nodeFlags, this.program, ...args], cwd)
  }

  /** A module of a user, from the folder in which the package is installed. */
  import(code: string): Ended {
    const path = this.#folder.write('program.mjs', code)
    return this.#spawn(this.#node, [path], this.#folder.path)
  }

  start(cwd: string, ...args: readonly string[]): RolebookProcess {
    return new RolebookProcess(args, { cwd, env: this.#env, node: this.#node, program: this.program })
  }

  get program(): string {
    return join(this.#folder.path, 'node_modules/.bin/rolebook')
  }

  remove(): void {
    this.#folder.remove()
  }

  #spawn(command: string, args: readonly string[], cwd: string): Ended {
    return spawnSync(command, args, { cwd, env: this.#env, encoding: 'utf8' })
  }
}
