import { quoted } from './bash.js'
import type { WordList } from './word-lists.js'

function line({ place, words, files }: WordList): string {
  const entries = words.map(({ word, summary }) =>
    quoted(summary === '' ? word : `${word}:${summary.replaceAll(':', '\\:')}`),
  )
  return `    ${quoted(place)}) reply=(${[...entries, ...(files ? ['@files'] : [])].join(' ')}) ;;`
}

/** Completion for zsh, with what the words mean. */
export function zshCompletion(lists: readonly WordList[]): string {
  return `#compdef oauth-lab
# zsh completion of oauth-lab.  Now:     source <(oauth-lab completion zsh)
# Always:  oauth-lab completion zsh > "\${fpath[1]}/_oauth-lab"

# What can be typed at a place, into reply.
_oauth_lab_list() {
  reply=()
  case $1 in
${lists.map(line).join('\n')}
  esac
}

_oauth_lab() {
  local at='' option='' word i
  local -a reply found valued names
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    if [[ -n $option ]]; then
      option=''
      continue
    fi
    if [[ $word == -* ]]; then
      _oauth_lab_list "$at/valued"
      valued=($reply)
      _oauth_lab_list /valued
      valued+=($reply)
      (( \${valued[(Ie)$word]} )) && option=$word
    else
      _oauth_lab_list "$at/commands"
      names=(\${reply%%:*})
      (( \${names[(Ie)$word]} )) && at="\${at:+$at }$word"
    fi
  done
  if [[ -n $option ]]; then
    _oauth_lab_list "$at/$option"
    (( $#reply )) || _oauth_lab_list "/$option"
    found=($reply)
  elif [[ \${words[CURRENT]} == -* ]]; then
    _oauth_lab_list "$at/options"
    found=($reply)
    _oauth_lab_list /options
    found+=($reply)
  else
    _oauth_lab_list "$at/commands"
    found=($reply)
    _oauth_lab_list "$at/arguments"
    found+=($reply)
    if (( ! $#found )); then
      _oauth_lab_list "$at/options"
      found=($reply)
    fi
  fi
  if (( \${found[(Ie)@files]} )); then
    _files
  elif (( $#found )); then
    _describe -t words oauth-lab found
  fi
}

if [[ \${funcstack[1]} == _oauth_lab ]]; then
  _oauth_lab "$@"
else
  # A zsh without settings of its own has not begun to complete.
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
  compdef _oauth_lab oauth-lab
fi
`
}
