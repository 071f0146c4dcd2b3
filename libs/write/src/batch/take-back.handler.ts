import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { functions, undo } from '@practice/contracts';
import { allSteps, problemFor, type Problem } from '@practice/core';
import { parseCall, PreparedCall, type Repeatable, type RestResponse } from '@practice/query';
import { GIVEN_UP } from '@practice/storage';
import { refusalUnit } from '../engine/refusals.js';
import { UnitsOfWork } from '../engine/unit-of-work.js';
import { CallFunction } from '../functions/call-function.command.js';
import { TakeBack } from './take-back.command.js';

/** Takes back a part of a batch by the key of its message. This works even if the reply to the part has not arrived. */
@CommandHandler(TakeBack)
export class TakeBackHandler implements ICommandHandler<TakeBack> {
  constructor(
    private readonly units: UnitsOfWork,
    private readonly commands: CommandBus,
  ) {}

  /** @throws {Rejection} the refusals of an undo */
  async execute({ call, repeatable, wire }: TakeBack): Promise<RestResponse> {
    const { caller, requestId, deadline } = call;
    const asking = { therapistId: caller.therapistId, requestId, deadline };
    const first = await this.units.run(refusalUnit(asking, repeatable, givenUp(repeatable)));
    const changeId = first?.headers['Change-Id'];
    if (changeId === undefined) return nothing;
    const replacement = wire.replacement === null ? null : { ...wire.replacement, headers: JSON_HEADERS };
    await this.commands.execute(
      new CallFunction({
        prepared: new PreparedCall(undo, undoRequest),
        given: { change_ids: [changeId] },
        call: { ...call, takesBack: { repeatable, replacement, onlyOwn: wire.onlyOwn === true } },
        ifMatch: undefined,
      }),
    );
    return nothing;
  }
}

const undoRequest = allSteps(
  parseCall(
    {
      ...{ method: 'POST', resource: undo.name, query: '', headers: { 'content-type': 'application/json' } },
      body: Buffer.from('{}'),
    },
    functions,
  ),
).request;

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };

const nothing: RestResponse = { status: 204, headers: {}, body: null };

const givenUp = ({ attempt = '' }: Repeatable): Problem =>
  problemFor('PM503', { message: 'the batch was given up', headers: { [GIVEN_UP]: attempt } });
