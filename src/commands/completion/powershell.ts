import type { WordList } from './word-lists.js'

/** A word in single quotes, as PowerShell reads it. */
const quoted = (text: string): string => `'${text.replace(/['‘’‚‛]/g, '$&$&')}'`

function line({ place, words, files }: WordList): string {
  const entries = words.map(({ word, summary }) => quoted(summary === '' ? word : `${word}\t${summary}`))
  return `  ${quoted(place)} = @(${[...entries, ...(files ? ["'@files'"] : [])].join(', ')})`
}

/** Completion for PowerShell 5.1 and later. */
export function powershellCompletion(lists: readonly WordList[]): string {
  return `# PowerShell completion of oauth-lab.  Now and, in $PROFILE, always:
#   oauth-lab completion powershell | Out-String | Invoke-Expression

# What can be typed at a place, the meaning behind a tab.
$oauthLabWords = @{
${lists.map(line).join('\n')}
}

Register-ArgumentCompleter -Native -CommandName oauth-lab -ScriptBlock {
  param($current, $ast, $cursor)
  $list = { param($place) if ($oauthLabWords.ContainsKey($place)) { $oauthLabWords[$place] } }
  $at = ''
  $option = ''
  $typed = $ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor }
  foreach ($element in $typed) {
    $word = $element.ToString()
    if ($option) { $option = '' }
    elseif ($word.StartsWith('-')) {
      if ((@(& $list "$at/valued") + @(& $list '/valued')) -ccontains $word) { $option = $word }
    }
    elseif (@(@(& $list "$at/commands") | ForEach-Object { $_.Split("\`t")[0] }) -ccontains $word) {
      $at = "$at $word".Trim()
    }
  }
  if ($option) {
    $found = & $list "$at/$option"
    if (-not $found) { $found = & $list "/$option" }
  }
  elseif ($current.StartsWith('-')) { $found = @(& $list "$at/options") + @(& $list '/options') }
  else {
    $found = @(& $list "$at/commands") + @(& $list "$at/arguments")
    if (-not $found) { $found = & $list "$at/options" }
  }
  if ($found -contains '@files') { return }
  foreach ($entry in $found) {
    $word, $summary = $entry.Split("\`t")
    if (-not $summary) { $summary = $word }
    if ($word.StartsWith($current)) {
      [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $summary)
    }
  }
}
`
}
