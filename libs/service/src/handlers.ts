// The handlers of all commands and queries that every service has.

import type { Type } from '@nestjs/common';
import type { ICommandHandler, IQueryHandler } from '@nestjs/cqrs';
import { ReadRecordChangesHandler, ReadHandler, SubqueryHandler } from '@practice/read';
import {
  CallFunctionHandler,
  ReadFunctionHandler,
  AgreeToDeletionsHandler,
  ChangeRecordsHandler,
  WriteHandler,
  BatchHandler,
  TakeBackHandler,
} from '@practice/write';
import { ApplyEventHandler } from '@practice/projections';
import { LookUpRecordsHandler } from '@practice/mirror';

export const queryHandlers: readonly Type<IQueryHandler>[] = [
  ReadHandler,
  SubqueryHandler,
  ReadFunctionHandler,
  LookUpRecordsHandler,
  ReadRecordChangesHandler,
];

export const commandHandlers: readonly Type<ICommandHandler>[] = [
  WriteHandler,
  BatchHandler,
  TakeBackHandler,
  CallFunctionHandler,
  ChangeRecordsHandler,
  AgreeToDeletionsHandler,
  ApplyEventHandler,
];
