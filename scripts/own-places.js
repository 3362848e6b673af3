import { join, relative } from 'node:path'

/** Files of `src` reach files near them through `import.meta.url`. In a chunk they need the place that they had in `src`. */
export function ownPlaces(root) {
  return {
    name: 'own-places',
    transform: {
      filter: { id: /[\\/]src[\\/].*\.tsx?$/, code: 'import.meta.url' },
      handler(code, id) {
        const place = relative(join(root, 'src'), id).replaceAll('\\', '/')
        const instead = `new URL(${JSON.stringify(place)}, import.meta.url).href`
        // Lines stay where they are, so the source map stays right.
        return { code: code.replaceAll('import.meta.url', instead), map: null }
      },
    },
  }
}
