import { join, relative } from 'node:path'

/** Files of ours find what lies near them by `import.meta.url`; as parts of a chunk they have to say where they were. */
export function ownPlaces(root) {
  return {
    name: 'own-places',
    transform: {
      filter: { id: /[\\/]src[\\/].*\.tsx?$/, code: 'import.meta.url' },
      handler(code, id) {
        const place = relative(join(root, 'src'), id).replaceAll('\\', '/')
        return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url).href`)
      },
    },
  }
}
