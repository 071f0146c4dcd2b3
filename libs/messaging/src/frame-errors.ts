import { Catch } from '@nestjs/common';
import type { RpcExceptionFilter } from '@nestjs/common';
import { throwError } from 'rxjs';
import type { Observable } from 'rxjs';

/**
 * Hands what a handler has thrown on to `FrameServer`, which makes the reply of it. Nest's own filter would replace it
 * by "Internal server error" first. To be used wherever handlers are: `@UseFilters(FrameErrors)` or as `APP_FILTER`.
 */
@Catch()
export class FrameErrors implements RpcExceptionFilter {
  catch(exception: unknown): Observable<never> {
    return throwError(() => exception);
  }
}
