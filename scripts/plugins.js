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

/** Changes a line of a package; one that is no longer there has to be looked at again. */
function changed(name, id, line, instead) {
  return {
    name,
    transform: {
      filter: { id },
      handler(code, file) {
        if (!code.includes(line)) throw new Error(`${file} has no longer: ${line}`)
        return code.replace(line, instead)
      },
    },
  }
}

export const packageChanges = [
  // Where DEV is set Ink asks for the developer tools of React, which are no part of the program.
  changed('no-devtools', /[\\/]ink[\\/]build[\\/]reconciler\.js$/, "await import('./devtools.js');", ''),
  // Making a segmenter takes a third of the time in which Node starts, and most texts are measured without one.
  changed(
    'late-segmenter',
    /[\\/]string-width[\\/]index\.js$/,
    'const segmenter = new Intl.Segmenter();',
    'let made; const segmenter = { segment: text => (made ??= new Intl.Segmenter()).segment(text) };',
  ),
]
