/** All migrations, in order. A released one is never edited. */
import { Baseline1700000000100 } from './baseline.js';
import { BesideProjects1700000000141 } from './beside-projects.js';
import { BugsOfMovedRuns1700000000143 } from './bugs-of-moved-runs.js';
import { ComparedTexts1700000000230, ComparedTextsOfRows1700000000231 } from './compared-texts.js';
import { ComposedLetters1700000000105, ComposedLettersOfRows1700000000106 } from './composed-letters.js';
import { CountedTotals1700000000122 } from './counted-totals.js';
import { EffortsOfTasks1700000000204 } from './efforts-of-tasks.js';
import { FirmPlaces1700000000109 } from './firm-places.js';
import { FullerHistories1700000000110 } from './fuller-histories.js';
import { FunctionsOfKinds1700000000111 } from './functions-of-kinds.js';
import { HistoriesAfterClockSteps1700000000121 } from './histories-after-clock-steps.js';
import { HistoryAuthors1700000000120 } from './history-authors.js';
import { LeanChecks1700000000211 } from './lean-checks.js';
import { LeanHistories1700000000102 } from './lean-histories.js';
import { LeanRecords1700000000210 } from './lean-records.js';
import { LeanSearch1700000000103 } from './lean-search.js';
import { LeanTotals1700000000104 } from './lean-totals.js';
import { OneLookAtMoves1700000000142 } from './one-look-at-moves.js';
import { PartedTexts1700000000220, PartedTextsOfRows1700000000221 } from './parted-texts.js';
import { PartsBesideOwners1700000000113 } from './parts-beside-owners.js';
import { RecordedColumns1700000000112 } from './recorded-columns.js';
import { RelatedColumns1700000000202 } from './related-columns.js';
import { ReleasesWithoutProcess1700000000117 } from './releases-without-process.js';
import { RememberedAlong1700000000140 } from './remembered-along.js';
import { RenamedTags1700000000201 } from './renamed-tags.js';
import { RoleRights1700000000101 } from './role-rights.js';
import { SearchedWords1700000000115, SearchedWordsOfRows1700000000116 } from './searched-words.js';
import { SetUpEmptied1700000000235 } from './set-up-emptied.js';
import { SetUpVersions1700000000200 } from './set-up-versions.js';
import { SettledWrites1700000000114 } from './settled-writes.js';
import { SpansInHours1700000000179 } from './spans-in-hours.js';
import { TagsOfHtml1700000000156, TagsOfHtmlOfRows1700000000157 } from './tags-of-html.js';
import { TotalsOfOne1700000000222 } from './totals-of-one.js';
import {
  ValuesOfItems1700000000130,
  ValuesOfPeople1700000000132,
  ValuesOfTimes1700000000131,
} from './values-of-their-type.js';
import { WholeWords1700000000107, WholeWordsOfRows1700000000108 } from './whole-words.js';
import { WordsInAnyLocale1700000000150, WordsInAnyLocaleOfRows1700000000151 } from './words-in-any-locale.js';

export const migrations = [
  Baseline1700000000100,
  RoleRights1700000000101,
  LeanHistories1700000000102,
  LeanSearch1700000000103,
  LeanTotals1700000000104,
  ComposedLetters1700000000105,
  ComposedLettersOfRows1700000000106,
  WholeWords1700000000107,
  WholeWordsOfRows1700000000108,
  FirmPlaces1700000000109,
  FullerHistories1700000000110,
  FunctionsOfKinds1700000000111,
  RecordedColumns1700000000112,
  PartsBesideOwners1700000000113,
  SettledWrites1700000000114,
  SearchedWords1700000000115,
  SearchedWordsOfRows1700000000116,
  ReleasesWithoutProcess1700000000117,
  HistoryAuthors1700000000120,
  HistoriesAfterClockSteps1700000000121,
  CountedTotals1700000000122,
  ValuesOfItems1700000000130,
  ValuesOfTimes1700000000131,
  ValuesOfPeople1700000000132,
  RememberedAlong1700000000140,
  BesideProjects1700000000141,
  OneLookAtMoves1700000000142,
  BugsOfMovedRuns1700000000143,
  WordsInAnyLocale1700000000150,
  WordsInAnyLocaleOfRows1700000000151,
  TagsOfHtml1700000000156,
  TagsOfHtmlOfRows1700000000157,
  SpansInHours1700000000179,
  SetUpVersions1700000000200,
  RenamedTags1700000000201,
  RelatedColumns1700000000202,
  EffortsOfTasks1700000000204,
  LeanRecords1700000000210,
  LeanChecks1700000000211,
  PartedTexts1700000000220,
  PartedTextsOfRows1700000000221,
  TotalsOfOne1700000000222,
  ComparedTexts1700000000230,
  ComparedTextsOfRows1700000000231,
  SetUpEmptied1700000000235,
];
