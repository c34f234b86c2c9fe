import type { GeneratedFile } from './generated-file.ts'
import { PROJECT_ARGUMENTS, PROJECT_FOLDERS } from './install-settings.ts'

export interface ImageSettings {
  readonly image: string
  /** In the build context. */
  readonly watchesFile: string
  readonly rolesPath: string
}

/** An image with the roles of a project built in, on the stock image. */
export function projectDockerfile({ image, watchesFile, rolesPath }: ImageSettings): GeneratedFile {
  const text = `# The operator with the roles of this project built in.
#   docker build -f Dockerfile -t my-operator:1.0.0 .
#   rolebook generate deploy --built-in --image my-operator:1.0.0
ARG ROLEBOOK=${image}
FROM \${ROLEBOOK}
${copy(watchesFile, `${PROJECT_FOLDERS.watches}/watches.yaml`)}
${copy(rolesPath, PROJECT_FOLDERS.roles)}
CMD [${['run', ...PROJECT_ARGUMENTS].map((argument) => `"${argument}"`).join(', ')}]
`
  return { path: 'Dockerfile', text }
}

/** Without brackets, a blank would end a path. */
function copy(from: string, to: string): string {
  return /\s/.test(from) ? `COPY ${JSON.stringify([from, to])}` : `COPY ${from} ${to}`
}

/** The stock image, from a checkout of rolebook: what is built, and what stays out of the build. */
export function stockDockerfile({ image }: Pick<ImageSettings, 'image'>): readonly GeneratedFile[] {
  return [
    { path: 'Dockerfile', text: stockText(image) },
    { path: 'Dockerfile.dockerignore', text: `${KEPT_OUT.join('\n')}\n` },
  ]
}

function stockText(image: string): string {
  return `# The stock image: one bundle on a distroless Node, without a shell. Roles and watches.yaml are mounted, not built in.
#   docker build -f deploy/Dockerfile -t ${image} .
# Pin both bases for a release: --build-arg BUILD=node:24-bookworm-slim@sha256:… --build-arg BASE=…@sha256:…
# (docker buildx imagetools inspect says what the digest is).
ARG BUILD=node:24-bookworm-slim
ARG BASE=gcr.io/distroless/nodejs24-debian12:nonroot

FROM \${BUILD} AS build
WORKDIR /build
COPY package.json package-lock.json ./
# No dependency runs a program of its own while it is installed: the two that may are not needed here.
RUN npm ci --ignore-scripts
COPY tsconfig.json LICENSE README.md ./
COPY bin bin
COPY src src
RUN npm run --silent build && npm run --silent sbom > dist/sbom.cdx.json

FROM \${BASE}
WORKDIR /rolebook
COPY --from=build --chmod=0444 /build/LICENSE ./LICENSE
COPY --from=build --chmod=0555 /build/dist ./dist
USER 65532:65532
ENV NODE_ENV=production
ENTRYPOINT ["/nodejs/bin/node", "/rolebook/dist/rolebook.mjs"]
CMD ["run"]
`
}

const KEPT_OUT = [
  'node_modules',
  'dist',
  'coverage',
  '.git',
  '.rolebook',
  'test',
  'bench',
  'examples',
  'docs',
  'deploy',
]
