# Two stages: the first builds a virtual environment from the lock file, the second runs it as nobody in particular.
# There is no Docker engine where this project is developed: this file is read and kept, not built, by its tests.
FROM python:3.13-slim AS build
WORKDIR /src
RUN python -m venv /opt/warbot
COPY requirements.lock ./
RUN /opt/warbot/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.lock
COPY engine engine
COPY db db
COPY bot bot
COPY cogs cogs
COPY playground playground

FROM python:3.13-slim
RUN useradd --system --uid 10001 --home-dir /data --create-home warbot
COPY --from=build /opt/warbot /opt/warbot
COPY --from=build /src /app
ENV PATH=/opt/warbot/bin:$PATH \
    PYTHONPATH=/app \
    PYTHONUNBUFFERED=1 \
    DATABASE_URL=sqlite:////data/warbot.db
USER warbot
WORKDIR /data
VOLUME /data
STOPSIGNAL SIGTERM
CMD ["python", "-m", "bot", "run"]
