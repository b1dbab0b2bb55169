"""The tools of weather.yaml: plain functions; their signatures and docstrings are what the model is told."""

from cleveractors import tool

WEATHER = {"Paris": (14, "light rain"), "Rome": (27, "sunny"), "Oslo": (-3, "snow")}


def _weather(city: str) -> tuple[int, str]:
    return WEATHER.get(city, (18, "cloudy"))


@tool
def get_weather(city: str) -> str:
    """Tell today's weather.

    Args:
        city: the city's English name.
    """
    degrees, sky = _weather(city)
    return f"{city} has {degrees} °C and {sky} today."


@tool
def suggest_clothes(city: str) -> str:
    """Suggest what to wear in today's weather.

    Args:
        city: the city's English name.
    """
    degrees, sky = _weather(city)
    layers = "a warm coat" if degrees < 8 else "a light jacket" if degrees < 20 else "short sleeves"
    return f"Wear {layers}{' and take an umbrella' if 'rain' in sky else ''}."
